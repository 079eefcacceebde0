export const portuguese = `
a à agora ainda ali antes ao aos apenas aquela aquele aqueles aquilo as às assim até através bem
cada com como contra da das de dela dele deles depois desde dessa desse desta deste disso disto do
dos durante e é ela elas ele eles em enquanto entre era essa essas esse esses esta está estão estar
estas este estes eu foi for foram há isso isto já la lhe lhes lo mais mas me mesmo meu meus mim
minha minhas muito na nas não nem nessa nesse nesta neste no nos nós nossa nossas nosso nossos num
numa o onde os ou outra outras outro outros para pela pelas pelo pelos per pois por porque qual
quais quando quanto que quem são se seja sem ser será seu seus si só sob sobre somos sou sua suas
também te tem têm ter teu toda todas todo todos tu tua tudo um uma umas uns você vocês vos
`;
