export const german = `
ab aber alle allem allen aller alles als also am an andere anderen anderer anderes ans auch auf aus
außer bei beim bevor bin bis bist da dabei dadurch dafür damit dann daran darauf darin das dass daß
dazu dein deine deinem deinen deiner dem den denn der deren des dessen dich die dies diese diesem
diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines er es etwas euch euer
eure für gegen gibt hab habe haben hat hatte hier hinter ich ihm ihn ihnen ihr ihre ihrem ihren
ihrer im in ins ist ja jede jedem jeden jeder jedes jetzt kann kein keine keinen können man mein
meine meinem meinen meiner mich mir mit nach nicht nichts noch nun nur ob oder ohne per sehr sein
seine seinem seinen seiner seit sich sie sind so sogar sowie über um und uns unser unsere unserem
unseren unter vom von vor wann war waren was wegen weil wenn wer werden wie wieder wir wird wo wurde
wurden zu zum zur zwischen
`;
