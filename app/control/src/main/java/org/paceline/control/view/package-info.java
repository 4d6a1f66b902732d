/**
 * What people and programs see, made once: REST, RESTCONF, webhooks and the shell each only write
 * it in their own form. Values and words; no JSON, no columns.
 */
package org.paceline.control.view;
