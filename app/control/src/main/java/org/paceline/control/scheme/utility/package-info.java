/** The utility-fair scheme: from who asks for what to grants, each step with the reason. */
package org.paceline.control.scheme.utility;
