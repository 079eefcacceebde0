const keptMs = 10_000;

/** Lets the browser save a text as a file. It is made here: nothing is sent. */
export function saveFile(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser may begin to read it later.
  setTimeout(() => URL.revokeObjectURL(address), keptMs);
}
