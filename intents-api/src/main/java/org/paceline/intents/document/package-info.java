/** What a document of any format may hold, before anything is made of it. */
package org.paceline.intents.document;
