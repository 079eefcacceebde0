export const swedish = `
alla allt alltid än andra annan annat är åt att av bara bli blir blev bort både då där därför de deg
dem den denna deras dess dessa det detta dig din dina direkt ditt du efter ej eller en er era ert
ett få får för före från genom ha hade han hans har hela hennes henne här hon honom hos hur i icke
in inga ingen inget inom inte ja jag kan kunde man med mellan men mer mest mig min mina mitt mot
mycket när någon något några nej ni nu och också om oss på per samma samt sedan sig sin sina
sitt ska skall så själv som till under upp ut utan vad vår våra vart vårt var vara varför varit
varje vi via vid vilka vilken vilket vill över
`;
