package org.paceline.northbound.rest;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import javax.security.auth.Subject;
import org.apache.karaf.jaas.boot.principal.RolePrincipal;
import org.apache.karaf.jaas.boot.principal.UserPrincipal;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.impl.action.command.DefaultActionPreparator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.paceline.control.api.UseCases;

/** Runs commands as Karaf does: for an admin, with its own reading of the line. */
final class Shell {
  private final UseCases paceline;

  Shell(UseCases paceline) {
    this.paceline = paceline;
  }

  /** What the command prints. */
  String run(Action command, String line) throws Exception {
    Subject admin =
        new Subject(
            true,
            Set.of(new UserPrincipal("anna"), new RolePrincipal("admin")),
            Set.of(),
            Set.of());
    for (Class<?> type = command.getClass(); type != Object.class; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (field.isAnnotationPresent(Reference.class) && field.getType() == BundleContext.class) {
          field.setAccessible(true);
          field.set(command, bundle());
        }
      }
    }
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      new DefaultActionPreparator().prepare(command, null, List.of((Object[]) line.split(" ")));
      Subject.doAs(admin, (PrivilegedExceptionAction<Object>) () -> execute(command));
    } catch (java.security.PrivilegedActionException refused) {
      throw refused.getException();
    } finally {
      System.setOut(before);
    }
    return printed.toString(StandardCharsets.UTF_8);
  }

  /** Knows one service. */
  private BundleContext bundle() {
    ServiceReference<?> reference = proxy(ServiceReference.class, name -> paceline);
    return proxy(
        BundleContext.class, name -> name.equals("getServiceReference") ? reference : paceline);
  }

  private static <T> T proxy(Class<T> type, Function<String, Object> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, words) -> answers.apply(method.getName())));
  }

  private static Object execute(Action command) throws Exception {
    Object answer = command.execute();
    return answer == null ? "" : answer;
  }
}
