import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { matchesQuery } from "../../api/audience.ts";
import { classes } from "../../lib/class-names.ts";
import { useSettled } from "../../lib/use-settled.ts";
import { Address } from "../../ui/address.tsx";
import { problemsOf, say, sayError } from "../../ui/error-words.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useSegmentsText } from "./use-segments-text.ts";

interface ConditionPreviewProps {
  projectId: string;
  /** A valid condition, or an empty text. */
  where: string;
}

/** The number of people who match a condition, and the ten newest of them. */
export function ConditionPreview({ projectId, where }: ConditionPreviewProps) {
  const text = useSegmentsText();
  const settled = useSettled(where);
  const { data, error, failureCount, isPlaceholderData } = useQuery({
    ...matchesQuery(projectId, settled),
    enabled: settled !== "",
    placeholderData: keepPreviousData,
  });
  const isOld = isPlaceholderData || settled !== where;
  return (
    <section
      aria-label={text.matches}
      className="flex min-w-0 flex-col gap-1 self-start rounded-md bg-sunken p-3 text-sm max-lg:w-full lg:w-60 lg:shrink-0"
    >
      {failureCount > 0 && !error && <p>{text.countLater}</p>}
      {where === "" ? (
        <p>{text.noRules}</p>
      ) : error ? (
        <p className="text-bad">{problemsOf(error)["where"] ?? sayError(error)}</p>
      ) : data ? (
        <div className={classes(isOld && "opacity-60")} aria-busy={isOld}>
          <p role="status" className="font-medium">
            {text.fits(data.count, data.more)}
          </p>
          {data.warnings.map((warning) => (
            <Notice key={warning.message} tone="warn">
              {say(warning)}
            </Notice>
          ))}
          {data.sample.length > 0 && (
            <>
              <p className="mt-1 text-muted">{text.newest}</p>
              <ul>
                {data.sample.map(({ id, email, name }) => (
                  <li key={id} className="truncate">
                    {name !== "" && `${name}, `}
                    <Address>{email}</Address>
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
