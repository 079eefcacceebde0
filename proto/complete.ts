/** A message with every field set: an optional field that is unknown is null, never absent. */
export type Complete<Message> = {
  [Field in keyof Message]-?: Exclude<Message[Field], undefined>;
};
