/** The version of this Shelfwise, as in the package files. */
export const version = '0.1.0';
