export const english = `
a about above after again against all also am an and any are as at be because been before being
below between both but by can cannot can't could did didn't do does doesn't doing don't down during
each either else etc ever every few for from further had has have having he her here hers herself
him himself his how i if i'm in into is isn't it its it's itself i've just let's me more most my
myself neither no nor not of off on once only onto or other our ours ourselves out over own per same
she should so some such than that that's the their theirs them themselves then there these they this
those through to too under until up upon us very via was we were what when where whether which while
who whom whose why will with within without would you you'll your you're yours yourself you've
`;
