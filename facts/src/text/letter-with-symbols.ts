/**
 * A single letter with the signs that make another word of it: `c++`, `c#`, `a+`. After a longer word they are an
 * ornament (`Calculator+`), and before a letter or digit they part words (`c+d`).
 */
export const letterWithSymbols =
  /(?<![\p{Script=Latin}\p{M}\p{N}])\p{Script=Latin}[+#]+(?![+#\p{Script=Latin}\p{N}])/gu;
