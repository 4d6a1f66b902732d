/**
 * What schemes want of the network, one thing at a time: a rate for a conversation, by its host or
 * by a switch, the path of its packets, and shares of a port's queues.
 */
package org.paceline.control.directive;
