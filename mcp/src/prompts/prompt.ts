/** A task that a user picks from the menu of the client. */
export type Prompt = {
  name: string;
  title: string;
  description: string;
  /** name -> description; all are texts */
  arguments: Readonly<Record<string, string>>;
  required: string[];
  /** The task, as the user's message. */
  write(given: Readonly<Record<string, string | undefined>>): string;
};
