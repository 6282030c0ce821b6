import { z } from "zod";
import { MOST_TOPICS } from "../services/topics/index.ts";
import { listField } from "./given.ts";

/** Maximum length of a topic name or id in a request. */
export const MOST_TOPIC_CHARACTERS = 200;

/** Topics to subscribe to, each by id or name. */
export const topicsField = listField(z.string().max(MOST_TOPIC_CHARACTERS), MOST_TOPICS);
