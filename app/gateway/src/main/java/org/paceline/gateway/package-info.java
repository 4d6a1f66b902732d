/** The gRPC server that host agents attach to. */
package org.paceline.gateway;
