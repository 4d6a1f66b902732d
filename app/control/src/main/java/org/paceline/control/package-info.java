/**
 * The use cases: who talks (conversations), what is wanted (policy), what is granted (plan), what
 * is true (proof), and the ports through which they see and move the network.
 */
package org.paceline.control;
