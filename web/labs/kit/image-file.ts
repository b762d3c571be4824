import type { SmallImage } from './image-text.ts';

/**
 * Decodes a picture file here in the browser and shrinks (or stretches) it to a
 * square; it is sent nowhere. Null when the browser cannot read it as a picture.
 */
export async function imageFromFile(file: Blob, side: number): Promise<SmallImage | null> {
  try {
    const bitmap = await createImageBitmap(file);
    const { width, height } = bitmap;
    const canvas = document.createElement('canvas');
    canvas.width = side;
    canvas.height = side;
    const context = canvas.getContext('2d', { willReadFrequently: true })!;
    // What is transparent shows as white paper.
    context.fillStyle = '#fff';
    context.fillRect(0, 0, side, side);
    context.imageSmoothingQuality = 'high';
    context.drawImage(bitmap, 0, 0, side, side);
    bitmap.close();
    const { data } = context.getImageData(0, 0, side, side);
    return { width, height, rgb: [...data].filter((_, i) => i % 4 !== 3) };
  } catch {
    return null;
  }
}

/** The first picture among files that were dropped on a field or pasted into it; null when none of them is one. */
export function pastedImage(data: DataTransfer | null): File | null {
  return [...(data?.files ?? [])].find((file) => file.type.startsWith('image/')) ?? null;
}
