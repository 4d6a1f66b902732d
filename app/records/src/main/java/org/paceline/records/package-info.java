/**
 * What has to outlive a restart, as bytes: one codec for each kind of record. Knows the use cases'
 * values and JSON, and no store.
 */
package org.paceline.records;
