/** A picture in a checklist is small: each job keeps a copy of its checklist. Separate, because the page loads no schemas. */
export const mostPictureLength = 300_000
