/*
 * Fields of zip files that this service writes and reads (APPNOTE.TXT 4.3, without zip64). Every
 * entry is deflated, and its header contains its sizes, so a reader needs to hold only one entry in
 * memory.
 */

/** A file in a zip. */
export interface ZipEntry {
  name: string;
  bytes: Uint8Array;
}

export const LOCAL_HEADER = { signature: 0x04034b50, bytes: 30 };
export const CENTRAL_HEADER = { signature: 0x02014b50, bytes: 46 };
export const END_RECORD = { signature: 0x06054b50, bytes: 22 };

export const STORED = 0;
export const DEFLATED = 8;

/** The version needed for deflated entries, and a date: zips cannot express dates before 1980. */
export const VERSION = 20;
export const FIRST_DAY = 0x0021;
