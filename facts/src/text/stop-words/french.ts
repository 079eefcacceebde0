export const french = `
à afin ai ainsi alors après as au aucun aucune aussi autre autres aux avant avec avez avoir avons c
ça car ce ceci cela celle celles celui ces cet cette ceux chaque chez comme comment contre d dans de
depuis des dès donc dont du elle elles en encore entre es est et étaient était être eu eux fait il
ils j je jusqu jusque l la là le les leur leurs lors lorsqu lorsque lui m ma mais me même mêmes mes
moi mon n ne ni non nos notre nôtre nous on ont ou où par parce pas pendant peu peut plus pour
pourquoi puis puisqu puisque qu quand que quel quelle quelles quels qui quoi s sa sans se ses si soi
soit son sont sous sur t ta tandis te tes toi ton tous tout toute toutes très trop tu un une vers
via voici voilà vos votre vôtre vous y
`;
