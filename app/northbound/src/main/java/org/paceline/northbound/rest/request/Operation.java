package org.paceline.northbound.rest.request;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.paceline.control.audit.Role;

/** What the OpenAPI document says of a resource method, and who may call it: without, nobody. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Operation {
  Role needs();

  /** One sentence. */
  String does();

  int success() default 200;

  /** Whether it may make what was not there, and then answers 201 with its address. */
  boolean mayCreate() default false;

  /** The schema of the answer; empty where there is no body. */
  String answer() default "";

  /**
   * The schema of an answer that warns of what was done all the same, with the status 200 in the
   * place of the usual one; empty where nothing does.
   */
  String warns() default "";

  /** The schema of the request's body; empty where there is none. */
  String takes() default "";

  /** Whether no body means the same as an object without members. */
  boolean mayBeBodiless() default false;

  /** Whether clients need not wait for it ({@code Prefer: respond-async}). */
  boolean mayTakeLong() default false;

  /** The statuses of refusals beyond those that every such operation may give. */
  int[] refuses() default {};
}
