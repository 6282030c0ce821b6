import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api, PostriderError } from "../../api/client.ts";
import { classes } from "../../lib/class-names.ts";
import { useSettled } from "../../lib/use-settled.ts";
import { problemsOf, sayError } from "../../ui/error-words.tsx";
import { useSegmentsText } from "./use-segments-text.ts";

/** The time after which a count that was refused as one too many is tried again. */
const AGAIN_MS = 10_000;

interface ConditionPreviewProps {
  projectId: string;
  /** A valid condition, or an empty text. */
  where: string;
}

/** The number of people who match a condition, and the ten newest of them. */
export function ConditionPreview({ projectId, where }: ConditionPreviewProps) {
  const text = useSegmentsText();
  const settled = useSettled(where);
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ["project", projectId, "subscribers", "preview", settled],
    queryFn: ({ signal }) =>
      api.projects.segments.preview({ projectId, body: { where: settled } }, { signal }),
    enabled: settled !== "",
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    retry: (_, fault) => isTooOften(fault),
    retryDelay: AGAIN_MS,
    refetchOnWindowFocus: false,
  });
  const isOld = isPlaceholderData || settled !== where;
  return (
    <section
      aria-label={text.matches}
      className="flex min-w-0 flex-col gap-1 self-start rounded-md bg-sunken p-3 text-sm max-lg:w-full lg:w-60 lg:shrink-0"
    >
      {where === "" ? (
        <p>{text.noRules}</p>
      ) : error ? (
        <p className="text-bad">{problemsOf(error)["where"] ?? sayError(error)}</p>
      ) : data ? (
        <div className={classes(isOld && "opacity-60")} aria-busy={isOld}>
          <p role="status" className="font-medium">
            {text.fits(data.count, data.more)}
          </p>
          {data.sample.length > 0 && (
            <>
              <p className="mt-1 text-muted">{text.newest}</p>
              <ul>
                {data.sample.map(({ id, email, name }) => (
                  <li key={id} className="truncate">
                    {name === "" ? email : `${name}, ${email}`}
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
      ) : (
        <p>{text.counting}</p>
      )}
    </section>
  );
}

const isTooOften = (error: Error) => error instanceof PostriderError && error.status === 429;
