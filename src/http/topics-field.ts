import { z } from "zod";
import { MOST_TOPICS } from "../services/topics/index.ts";
import { listField } from "./given.ts";

/** The longest name or id of a topic that a call can give. */
export const MOST_TOPIC_CHARACTERS = 200;

/** Topics to subscribe to, each by its id or its name. */
export const topicsField = listField(z.string().max(MOST_TOPIC_CHARACTERS), MOST_TOPICS);
