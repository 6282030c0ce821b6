import { jsonObject } from "../../../lib/json-object.ts";

/** Contents of the first and the last file of an export (API reference §9.8). */
export interface ExportFacts {
  /** Time of the export, in milliseconds since 1970. */
  exportedAt: number;
  projectId: string;
  /** Number of rows by kind. */
  rows: Record<string, number>;
}

const END = { signature: 0x06054b50, bytes: 22 };
const CENTRAL = { signature: 0x02014b50, bytes: 46 };
const LOCAL_BYTES = 30;

/**
 * Reads the contents of an export in the browser; undefined for an incomplete or unreadable file.
 */
export const readExport = (file: Blob): Promise<ExportFacts | undefined> =>
  readFacts(file).catch(() => undefined);

async function readFacts(file: Blob): Promise<ExportFacts | undefined> {
  if (file.size < END.bytes) return undefined;
  const end = await viewOf(file.slice(file.size - END.bytes));
  if (end.getUint32(0, true) !== END.signature) return undefined;
  const start = end.getUint32(16, true);
  const central = await viewOf(file.slice(start, start + end.getUint32(12, true)));
  const places = placesOf(central);
  const manifest = await readJson(file, places.get("manifest.json"));
  const last = await readJson(file, places.get("end.json"));
  const { format, exported_at: exportedAt, project_id: projectId } = manifest ?? {};
  const rows = last?.["rows"];
  if (format !== "postrider.project" || typeof rows !== "object" || rows === null) return undefined;
  if (typeof exportedAt !== "number" || typeof projectId !== "string") return undefined;
  const counts = Object.entries(rows).map(([kind, count]) => [kind, Number(count)] as const);
  return { exportedAt, projectId, rows: Object.fromEntries(counts) };
}

interface Place {
  offset: number;
  bytes: number;
}

/** Returns the offsets of the files by name, from the central directory of a zip. */
function placesOf(central: DataView): Map<string, Place> {
  const places = new Map<string, Place>();
  for (let at = 0; at + CENTRAL.bytes <= central.byteLength;) {
    if (central.getUint32(at, true) !== CENTRAL.signature) break;
    const name = new Uint8Array(
      central.buffer,
      at + CENTRAL.bytes,
      central.getUint16(at + 28, true),
    );
    places.set(new TextDecoder().decode(name), {
      bytes: central.getUint32(at + 20, true),
      offset: central.getUint32(at + 42, true),
    });
    const more = central.getUint16(at + 30, true) + central.getUint16(at + 32, true);
    at += CENTRAL.bytes + name.length + more;
  }
  return places;
}

async function readJson(file: Blob, place: Place | undefined) {
  if (!place) return undefined;
  const local = await viewOf(file.slice(place.offset, place.offset + LOCAL_BYTES));
  if (local.byteLength < LOCAL_BYTES) return undefined;
  const start = place.offset + LOCAL_BYTES + local.getUint16(26, true) + local.getUint16(28, true);
  const packed = file.slice(start, start + place.bytes).stream();
  const unpacked = packed.pipeThrough(new DecompressionStream("deflate-raw"));
  return jsonObject(await new Response(unpacked).text().catch(() => ""));
}

const viewOf = async (blob: Blob) => new DataView(await blob.arrayBuffer());
