import type { Connection } from 'mongoose';

/** The address of a database with which the driver reports its commands; see `recordCommands`. */
export function monitored(uri: string): string {
  const url = new URL(uri);
  url.searchParams.set('monitorCommands', 'true');
  return url.href;
}

/** Records the commands that a connection to a `monitored` address sends: `find terms`. */
export function recordCommands(connection: Connection): string[] {
  const commands: string[] = [];
  connection
    .getClient()
    .on('commandStarted', ({ commandName, command }) =>
      commands.push(`${commandName} ${command[commandName]}`),
    );
  return commands;
}
