/** Returns the changed rectangle of a picture as WebP, or null if nothing changed. */
globalThis.encodeChange = async (input) => {
  const read = async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d", { alpha: false, willReadFrequently: true });
    context.drawImage(image, 0, 0);
    const { width, height } = canvas;
    return {
      canvas,
      width,
      height,
      pixels: new Uint32Array(context.getImageData(0, 0, width, height).data.buffer),
    };
  };
  const now = await read(input.data);
  let [left, top, right, bottom] = [0, 0, now.width, now.height];
  if (input.previous !== "") {
    const before = await read(input.previous);
    [left, top, right, bottom] = [now.width, now.height, 0, 0];
    for (let index = 0; index < now.pixels.length; index += 1) {
      if (now.pixels[index] === before.pixels[index]) continue;
      const x = index % now.width;
      const y = (index - x) / now.width;
      if (x < left) left = x;
      if (x >= right) right = x + 1;
      if (y < top) top = y;
      if (y >= bottom) bottom = y + 1;
    }
    if (right === 0) return null;
  }
  left -= left % 2;
  top -= top % 2;
  const [width, height] = [right - left, bottom - top];
  const part = new OffscreenCanvas(width, height);
  part.getContext("2d", { alpha: false }).drawImage(now.canvas, -left, -top);
  const blob = await part.convertToBlob({ type: "image/webp", quality: input.quality });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return { x: left, y: top, width, height, file: btoa(text) };
};
