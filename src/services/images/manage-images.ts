import { and, desc, eq, isNull, sql, type SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { countFor, followsId } from "../../db/paging.ts";
import { images } from "../../db/schema/index.ts";
import { notFound } from "../../errors.ts";
import { spanOf, totalOf, type ListPage } from "../../lib/page.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { textForms } from "../segments/index.ts";
import {
  firstImage,
  imageExists,
  imageKey,
  ownImage,
  requireBucket,
  selectImage,
  type ImageRow,
} from "./image-rows.ts";

/** A template, draft or broadcast whose HTML holds the address of an image. */
export interface ImageUse {
  kind: "template" | "draft" | "broadcast";
  id: string;
  name: string;
}

/** The maximum number of uses that an answer names. */
const MOST_USES = 100;

/** Lists the images of the library, newest first. Throws 503 in a deployment without R2. */
export async function listImages(
  { deps }: Ctx,
  project: ProjectRow,
  search: string | undefined,
  page: ListPage<string>,
): Promise<{ images: ImageRow[]; total: number | undefined }> {
  requireBucket(deps);
  const { db } = deps;
  const isWanted = and(
    eq(images.projectId, project.id),
    isNull(images.deletedAt),
    search === undefined ? undefined : isNamed(search),
  );
  const { limit, offset } = spanOf(page);
  const [rows, totals] = await runBatch(db, [
    db
      .select()
      .from(images)
      .where(and(isWanted, followsId(page)))
      .orderBy(desc(images.id))
      .limit(limit)
      .offset(offset),
    countFor(
      db,
      page,
      db.all<{ total: number }>(sql`select count(*) as total from images where ${isWanted}`),
    ),
  ]);
  return { images: rows, total: totalOf(page, totals) };
}

function isNamed(search: string): SQL {
  const forms = textForms(search).map((form) => sql`instr(lower(name), ${form})`);
  return sql`(${sql.join(forms, sql` or `)})`;
}

/** Returns an image, and the mails of the project that show it. Throws not_found. */
export async function getImage(
  { deps }: Ctx,
  project: ProjectRow,
  id: string,
): Promise<{ image: ImageRow; uses: ImageUse[] }> {
  requireBucket(deps);
  const image = firstImage(await selectImage(deps.db, project.id, id));
  return { image, uses: await selectUses(deps.db, image) };
}

/** Selects the mails of the project that name an image, newest first. */
function selectUses(db: Ctx["deps"]["db"], image: ImageRow): Promise<ImageUse[]> {
  const key = imageKey(image);
  return db.all<ImageUse>(
    sql`select 'template' as kind, id, name from templates
        where project_id = ${image.projectId} and instr(html_body, ${key})
      union all
      select kind, id, iif(name = '', subject, name) from broadcasts
        where project_id = ${image.projectId} and kind in ('draft', 'broadcast')
          and (instr(html_body, ${key}) or exists (select 1 from broadcast_variants
            where broadcast_id = broadcasts.id and instr(broadcast_variants.html_body, ${key})))
      order by id desc limit ${MOST_USES}`,
  );
}

/** Changes the name or the alternative text of an image. Throws not_found. */
export async function changeImage(
  ctx: Ctx,
  project: ProjectRow,
  id: string,
  change: Partial<Pick<ImageRow, "name" | "alt">>,
): Promise<ImageRow> {
  const { deps } = ctx;
  requireBucket(deps);
  const fact = { scopeId: project.id, action: "image.update", targetId: id } as const;
  const [, rows] = await runBatch(deps.db, [
    auditStatement(ctx, fact, imageExists(project.id, id)),
    deps.db.update(images).set(change).where(ownImage(project.id, id)).returning(),
  ]);
  return firstImage(rows);
}

/**
 * Removes an image from the library; mails show it until its bytes are removed. Throws not_found.
 */
export async function deleteImage(ctx: Ctx, project: ProjectRow, id: string): Promise<void> {
  const { deps } = ctx;
  requireBucket(deps);
  const fact = {
    scopeId: project.id,
    action: "image.delete",
    targetId: id,
    metadata: sql`(select json_object('name', name) from images where id = ${id})`,
  } as const;
  const [, deleted] = await runBatch(deps.db, [
    auditStatement(ctx, fact, imageExists(project.id, id)),
    deps.db
      .update(images)
      .set({ deletedAt: deps.now() })
      .where(ownImage(project.id, id))
      .returning({ id: images.id }),
  ]);
  if (deleted.length === 0) throw notFound("image");
}
