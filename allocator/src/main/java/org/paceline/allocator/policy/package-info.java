/** The other ways to share: service classes, and weighted max-min without a controller. */
package org.paceline.allocator.policy;
