/** Saves what an address answers as a file of the reader, as a click on a download does. */
export function saveUrl(name: string, href: string): void {
  Object.assign(document.createElement("a"), { href, download: name }).click();
}

/** Saves content as a file of the reader. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  saveUrl(name, url);
  URL.revokeObjectURL(url);
}
