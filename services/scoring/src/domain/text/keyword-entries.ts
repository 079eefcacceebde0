/** The comma, and its Chinese, Japanese and Arabic forms. */
const separator = /[,，、،]/u;

/**
 * The entries of the App Store's keywords field as written, in order, including blank ones. Words are taken entry by
 * entry, because in running text `2048,1010` would be one number, as `1,000` is.
 */
export function keywordEntries(field: string): string[] {
  return field.split(separator);
}
