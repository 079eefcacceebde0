export const dutch = `
aan al alle alles als altijd andere ben bent bij binnen buiten daar dan dat de deze die dit doen
door dus een één en er erg etc geen geweest haar had hadden heb hebben hebt heeft heel hem hen het
hier hij hoe hun iets ieder iedere iedereen ik in is ja je jij jou jouw jullie kan kon kunnen maar
me meer men met mij mijn moet na naar naast nee niet niets nog nu of om omdat onder ons onze ook op
over per reeds samen sinds te tegen ten ter terwijl tijdens toch toen tot tussen u uit uw van vanaf
vanuit veel via voor voordat waar waarom wanneer want waren was wat we weer wel welk welke werd
werden wie wij wil worden wordt zal ze zeer zelf zich zij zijn zo zodat zoals zonder zou
`;
