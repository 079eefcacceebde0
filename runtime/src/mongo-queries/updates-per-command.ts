/** FerretDB on SQLite keeps something open for each update of one command, and stops for good at about a hundred. */
export const updatesPerCommand = 50;
