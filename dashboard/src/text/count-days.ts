/** @param count formatted */
export const countDays = (count: string) => (count === '1' ? '1 day' : `${count} days`);
