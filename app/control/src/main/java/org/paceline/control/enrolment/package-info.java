/**
 * How a host comes to its certificate without anybody copying a key: by a token that works once.
 */
package org.paceline.control.enrolment;
