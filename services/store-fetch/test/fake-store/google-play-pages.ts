/** What Google Play shows; null at an address where it has nothing. */
export function answerGooglePlay(_request: {
  method: string;
  url: URL;
  body: string;
}): { status: number; contentType: string; text: string } | null {
  return null;
}
