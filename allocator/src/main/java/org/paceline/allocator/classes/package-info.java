/** Service classes: how alpha-fair shares divide a link among them; uses no other package here. */
package org.paceline.allocator.classes;
