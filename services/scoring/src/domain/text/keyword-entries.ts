/** The comma, and those of Chinese, Japanese and Arabic keyboards. */
const separator = /[,，、،]/u;

/**
 * The entries of the App Store's keywords field as they are written, in order, blanks and empty ones too. Its words are
 * taken entry by entry: in running text `2048,1010` would be one number, as `1,000` is.
 */
export function keywordEntries(field: string): string[] {
  return field.split(separator);
}
