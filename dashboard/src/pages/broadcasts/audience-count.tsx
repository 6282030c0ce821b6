import { useProject } from "../../api/projects.ts";
import { TextLink } from "../../ui/button.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { plural } from "../../lib/format.ts";
import { type Audience, useAudienceCount } from "./use-audience-count.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

const REASONS = ["suppressed", "without_consent", "too_soon"] as const;

interface AudienceCountProps {
  broadcastId: string;
  audience: Audience;
}

/** How many people an audience has now, and why others are left out. */
export function AudienceCount({ broadcastId, audience }: AudienceCountProps) {
  const text = useBroadcastsText();
  const { id: projectId } = useProject();
  const { data, error, isFetching, refetch } = useAudienceCount(broadcastId, audience);
  if (error) return <ErrorWords error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={2} />;
  const out = REASONS.filter((reason) => data[reason] > 0);
  return (
    <div role="status" aria-busy={isFetching} className="rounded-lg bg-sunken p-3">
      <p className="text-lg font-semibold">
        {text.willGetIt(plural(data.total, text.person, text.people))}
      </p>
      {out.length > 0 && (
        <ul className="mt-1 list-disc pl-5 text-sm">
          {out.map((reason) => (
            <li key={reason}>{text.leftOut[reason](data[reason])}</li>
          ))}
        </ul>
      )}
      <p className="mt-1 text-sm text-muted">{text.neverMailed}</p>
      {data.active === 0 && (
        <p className="mt-1 text-sm">
          <TextLink to="/p/$projectId/audience/import" params={{ projectId }}>
            {text.importList}
          </TextLink>
        </p>
      )}
    </div>
  );
}
