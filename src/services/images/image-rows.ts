import { and, eq, isNull, sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Database } from "../../db/client.ts";
import { images } from "../../db/schema/index.ts";
import { notFound, refusal } from "../../errors.ts";
import type { ImageType } from "../../lib/read-image.ts";

export type ImageRow = typeof images.$inferSelect;

/** The file extension of each format, and the content type that the bytes are served with. */
export const IMAGE_FILES = {
  png: { extension: "png", contentType: "image/png" },
  jpeg: { extension: "jpg", contentType: "image/jpeg" },
  gif: { extension: "gif", contentType: "image/gif" },
  webp: { extension: "webp", contentType: "image/webp" },
} as const satisfies Record<ImageType, { extension: string; contentType: string }>;

/** What locates the bytes of an image. */
export type ImagePlace = Pick<ImageRow, "projectId" | "sha256" | "type">;

/**
 * Returns the key of an image in R2, which is also its path below `/images/`. Whoever does not know
 * both the project and the bytes cannot guess it.
 */
export const imageKey = ({ projectId, sha256, type }: ImagePlace) =>
  `${projectId}/${sha256}.${IMAGE_FILES[type].extension}`;

/** Returns the bucket of the images. Throws 503 in a deployment without one. */
export function requireBucket({ images: bucket }: Pick<Deps, "images">): R2Bucket {
  if (!bucket) throw refusal("images_not_bound", {});
  return bucket;
}

/** Selects the project's image with this id if the library shows it: at most one row. */
export const selectImage = (db: Database, projectId: string, id: string) =>
  db.select().from(images).where(ownImage(projectId, id));

export const ownImage = (projectId: string, id: string) =>
  and(eq(images.projectId, projectId), eq(images.id, id), isNull(images.deletedAt));

/** Returns a condition for a batch: the library of the project shows this image. */
export const imageExists = (projectId: string, id: string): SQL =>
  sql`exists (select 1 from images
    where id = ${id} and project_id = ${projectId} and deleted_at is null)`;

/** Returns the row of a read or write. Throws not_found if there is none. */
export function firstImage([image]: ImageRow[]): ImageRow {
  if (!image) throw notFound("image");
  return image;
}
