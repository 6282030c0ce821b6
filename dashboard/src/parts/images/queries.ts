import { queryOptions } from "@tanstack/react-query";
import { api, type Api } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";

export type Image = Api.Image;

/** Images on a page of the library: full rows of two to four. */
const PAGE = 24;

export const imagesQuery = (projectId: string, search: string, after: string | undefined) =>
  queryOptions({
    queryKey: ["project", projectId, "images", search, after],
    queryFn: ({ signal }) =>
      api.projects.images.list(
        { projectId, limit: PAGE, after: after ?? "", ...(search === "" ? {} : { search }) },
        { signal },
      ),
  });

export const imageQuery = (projectId: string, imageId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "image", imageId],
    queryFn: ({ signal }) => api.projects.images.get({ projectId, imageId }, { signal }),
    staleTime: 0, // other pages change which mails show it
  });

/** Reads the library again after a change, even if its first reading still runs. */
export async function refreshImages(projectId: string): Promise<void> {
  const queryKey = ["project", projectId, "images"];
  await queryClient.cancelQueries({ queryKey });
  await queryClient.invalidateQueries({ queryKey });
}

/**
 * Returns the address of an image on the origin of the page: the public URL may be another, from
 * which the policy of the page allows no images.
 */
export const shownAt = ({ url }: Image): string => new URL(url).pathname;
