/** What is exported into files of the machine that ONOS runs on. */
package org.paceline.northbound.files;
