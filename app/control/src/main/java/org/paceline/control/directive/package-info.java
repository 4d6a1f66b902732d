/**
 * What schemes want of the network, one thing at a time: a rate for a conversation, by its host or
 * by a switch, and the path of its packets.
 */
package org.paceline.control.directive;
