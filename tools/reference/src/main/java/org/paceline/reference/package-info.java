/** The pages of docs/reference, each made from the code that it is about. */
package org.paceline.reference;
