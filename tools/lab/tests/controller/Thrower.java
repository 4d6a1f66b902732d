import com.sun.jdi.Bootstrap;
import com.sun.jdi.ClassType;
import com.sun.jdi.Location;
import com.sun.jdi.Method;
import com.sun.jdi.ObjectCollectedException;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.request.BreakpointRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * As a debugger of a running ONOS, has methods of the application throw where they begin: PORT SECONDS TIMES ERROR
 * CLASS#METHOD... Ends well when each has thrown so often, within the time.
 */
final class Thrower {
  private Thrower() {}

  public static void main(String[] words) throws Exception {
    VirtualMachine machine = attach(words[0]);
    long end = System.nanoTime() + Long.parseLong(words[1]) * 1_000_000_000L;
    int times = Integer.parseInt(words[2]);
    Map<String, Integer> left = new HashMap<>();
    try {
      for (String place : List.of(words).subList(4, words.length)) {
        watch(machine, place);
        left.put(place, times);
      }
      System.out.println("ready");
      while (!left.isEmpty() && System.nanoTime() < end) {
        EventSet events = machine.eventQueue().remove(1_000);
        if (events == null) {
          continue;
        }
        for (Event event : events) {
          if (event instanceof BreakpointEvent) {
            BreakpointRequest request = (BreakpointRequest) event.request();
            String place = (String) request.getProperty("place");
            if (!left.containsKey(place)) {
              continue; // Another thread was there already when the last was told.
            }
            raise(machine, ((BreakpointEvent) event).thread(), words[3]);
            System.out.println("thrown " + place);
            if (left.merge(place, -1, Integer::sum) == 0) {
              left.remove(place);
              request.disable();
            }
          }
        }
        events.resume();
      }
    } finally {
      machine.dispose();
    }
    System.out.println(left.isEmpty() ? "done" : "never reached: " + left.keySet());
    System.exit(left.isEmpty() ? 0 : 1);
  }

  private static VirtualMachine attach(String port) throws Exception {
    for (AttachingConnector connector : Bootstrap.virtualMachineManager().attachingConnectors()) {
      if (connector.name().equals("com.sun.jdi.SocketAttach")) {
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        arguments.get("hostname").setValue("127.0.0.1");
        arguments.get("port").setValue(port);
        return connector.attach(arguments);
      }
    }
    throw new IllegalStateException("This Java has no debugger.");
  }

  private static void watch(VirtualMachine machine, String place) {
    String[] names = place.split("#");
    ReferenceType type = machine.classesByName(names[0]).get(0);
    Location begin = type.methodsByName(names[1]).get(0).location();
    BreakpointRequest request = machine.eventRequestManager().createBreakpointRequest(begin);
    request.setSuspendPolicy(BreakpointRequest.SUSPEND_EVENT_THREAD);
    request.putProperty("place", place);
    request.enable();
  }

  private static void raise(VirtualMachine machine, ThreadReference thread, String error) throws Exception {
    ClassType type = (ClassType) machine.classesByName(error).get(0);
    Method constructor = type.concreteMethodByName("<init>", "(Ljava/lang/String;)V");
    while (true) {
      try {
        ObjectReference thrown =
            type.newInstance(thread, constructor, List.of(machine.mirrorOf("thrown by a test")), ObjectReference.INVOKE_SINGLE_THREADED);
        thrown.disableCollection();
        thread.stop(thrown);
        return;
      } catch (ObjectCollectedException collectedAtOnce) {
        // Nobody there holds it yet, nor what it is to say.
      }
    }
  }
}
