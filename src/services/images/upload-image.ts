import { and, eq, sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { images } from "../../db/schema/index.ts";
import { notFound, refusal } from "../../errors.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { readImage, type ImageFacts } from "../../lib/read-image.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { projectExists } from "../projects/index.ts";
import { IMAGE_FILES, imageKey, requireBucket, selectImage, type ImageRow } from "./image-rows.ts";

/** Limits on the images of a project, including deleted ones whose bytes remain; our own choice. */
const MOST_IMAGES = 10_000;
const MOST_BYTES = 1_073_741_824;

/** The longest side in pixels; our own choice, far above what a mail can show. */
const MAX_PIXELS = 10_000;

/** The removal of a night takes minutes. */
const REMOVAL_RETRY_SECONDS = 600;

interface Upload {
  bytes: Uint8Array;
  /** The name of the file by default. */
  name: string | undefined;
  alt: string;
}

/** An image of the library, and whether this upload added it. */
interface Uploaded {
  image: ImageRow;
  isNew: boolean;
}

/**
 * Adds an image to the library; the same bytes again are the same image. The route checks
 * `templates:write`. Throws 400 for anything but a whole PNG, JPEG, GIF or WebP of bounded size,
 * 409 if the library is full, and 503 without R2.
 *
 * The row is written first, as if the image were deleted, so that a crash leaves no bytes that
 * nothing counts or removes. Once R2 has the bytes, the library shows the image.
 */
export async function uploadImage(
  ctx: Ctx,
  project: ProjectRow,
  { bytes, name, alt }: Upload,
): Promise<Uploaded> {
  const bucket = requireBucket(ctx.deps);
  const facts = requireImage(bytes);
  const { db, newId, now } = ctx.deps;
  const sha256 = sha256Hex("", bytes);
  const at = now();
  const { extension, contentType } = IMAGE_FILES[facts.type];
  const byHash = and(eq(images.projectId, project.id), eq(images.sha256, sha256));
  const given = { name: name ?? `image.${extension}`, alt };
  const [, , rows] = await runBatch(db, [
    db.run(
      sql`insert into images (id, project_id, sha256, type, name, alt, width, height, bytes, created_at, deleted_at)
        select ${newId()}, ${project.id}, ${sha256}, ${facts.type}, ${given.name}, ${given.alt},
          ${facts.width}, ${facts.height}, ${bytes.length}, ${at}, ${at}
        where ${projectExists(project.id)} and (
          select count(*) < ${MOST_IMAGES} and coalesce(sum(bytes), 0) + ${bytes.length} <= ${MOST_BYTES}
          from images where project_id = ${project.id})
        on conflict (project_id, sha256) do nothing`,
    ),
    // An image that is restored must not be due for removal before its bytes are stored again.
    db
      .update(images)
      .set({ deletedAt: at })
      .where(and(byHash, sql`deleted_at > 0 and deleted_at < ${at}`)),
    db.select().from(images).where(byHash),
  ]);
  const [row] = rows;
  if (!row) throw await missingRow(ctx, project);
  if (row.deletedAt === null) return { image: row, isNew: false };
  const options = { httpMetadata: { contentType }, sha256 };
  if (row.deletedAt > 0) await bucket.put(imageKey(row), bytes, options);
  const fact = {
    scopeId: project.id,
    action: "image.create",
    targetId: row.id,
    metadata: { name: given.name },
  } as const;
  const isHidden = sql`exists (select 1 from images where id = ${row.id} and deleted_at > 0)`;
  const [, , [image]] = await runBatch(db, [
    auditStatement(ctx, fact, isHidden),
    db
      .update(images)
      .set({ ...given, deletedAt: null })
      .where(and(byHash, isHidden)),
    selectImage(db, project.id, row.id),
  ]);
  if (image) return { image, isNew: true };
  throw refusal("image_being_removed", {}, { retryAfterSeconds: REMOVAL_RETRY_SECONDS });
}

/** Returns the format and size of an image. Throws 400 for anything else. */
function requireImage(bytes: Uint8Array): ImageFacts {
  const facts = readImage(bytes);
  if (facts === "svg") throw refusal("image_is_svg", {});
  if (facts === "unknown") throw refusal("not_an_image", {});
  if (facts === "damaged") throw refusal("image_damaged", {});
  const { width, height } = facts;
  if (Math.min(width, height) >= 1 && Math.max(width, height) <= MAX_PIXELS) return facts;
  throw refusal("image_size_not_allowed", { width, height, max: MAX_PIXELS });
}

/** Returns the error for an image that was not recorded. */
async function missingRow({ deps: { db } }: Ctx, project: ProjectRow) {
  const [row] = await db.all<{ found: number }>(sql`select ${projectExists(project.id)} as found`);
  if (row?.found === 0) return notFound("project");
  return refusal("image_library_full", { images: MOST_IMAGES, size: "1 GiB" });
}
