/**
 * A single letter with symbols that make it a different word: `c++`, `c#`, `a+`. After a longer word the symbols are
 * an ornament (`Calculator+`); before a letter or digit they separate words (`c+d`).
 */
export const letterWithSymbols =
  /(?<![\p{Script=Latin}\p{M}\p{N}])\p{Script=Latin}[+#]+(?![+#\p{Script=Latin}\p{N}])/gu;
