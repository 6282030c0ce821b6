import { z } from "zod";
import { AppError, reasonOf } from "../../errors.ts";
import { MOST_CHARACTERS, parseCondition, type Condition } from "../../services/segments/index.ts";
import { writtenAs } from "../route/written-as.ts";
import { fault, faultText, refuse } from "../fault.ts";

const given = z.union(
  [z.string(), z.record(z.string(), z.unknown())],
  fault("invalid_type", { expected: "a text or an object" }),
);

/** A condition on subscribers, as one line of text or as JSON (API reference §12.9). */
export const whereField = writtenAs(
  given.transform((where, context): Condition => {
    try {
      return parseCondition(where);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return refuse(context, faultText(reasonOf(error)));
    }
  }),
  z.union([z.string().max(MOST_CHARACTERS), z.record(z.string(), z.unknown())]),
);
