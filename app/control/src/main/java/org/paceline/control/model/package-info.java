/**
 * What the controller speaks of: conversations, agents, the network, and the proof of each
 * conversation.
 *
 * <p>It uses nothing else of the controller.
 */
package org.paceline.control.model;
