/** How work goes on whatever is thrown in it (decision 031). */
package org.paceline.control.work;
