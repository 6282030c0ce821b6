import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { api, type Api } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Table } from "../../ui/table.tsx";
import { showToast } from "../../ui/toast.tsx";
import { When } from "../../ui/when.tsx";
import { deviceOf } from "./device-of.ts";
import { useAccountText } from "./use-account-text.ts";

type Session = Api.Session;

const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: ({ signal }) => api.auth.sessions.list({}, { signal }),
});

/** The user's sessions, each of which can be revoked. */
export function SessionsCard() {
  const text = useAccountText();
  const sessions = useQuery(sessionsQuery);
  const end = useMutation({
    mutationFn: ({ id: sessionId }: Session) => api.auth.sessions.end({ sessionId }),
    onSuccess: async () => {
      showToast(text.ended);
      await queryClient.invalidateQueries(sessionsQuery);
    },
  });
  return (
    <Card title={text.sessions} hint={text.sessionsWords}>
      {end.error && <ErrorWords error={end.error} />}
      <Loaded query={sessions}>
        {(data) => (
          <Table
            label={text.sessions}
            rows={data.sessions}
            keyOf={({ id }) => id}
            columns={[
              {
                key: "device",
                head: text.device,
                cell: ({ user_agent, current }) => (
                  <span title={user_agent}>
                    {deviceOf(user_agent)}{" "}
                    {current && <Badge tone="good">{text.thisSession}</Badge>}
                  </span>
                ),
              },
              {
                key: "address",
                head: text.address,
                isMinor: true,
                cell: ({ ip_address }) => ip_address,
              },
              {
                key: "seen",
                head: text.lastSeen,
                cell: ({ last_seen_at }) => <When at={last_seen_at} />,
              },
              {
                key: "end",
                head: <span className="sr-only">{text.end}</span>,
                cell: (session) =>
                  session.current ? null : (
                    <Button
                      look="quiet"
                      aria-label={text.endOf(deviceOf(session.user_agent))}
                      isBusy={end.isPending}
                      onClick={() => end.mutate(session)}
                    >
                      {text.end}
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
    </Card>
  );
}
