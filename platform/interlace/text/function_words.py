"""Function words of languages other than English: they identify a language, and are not terms of a text in it.

Articles, pronouns, prepositions, conjunctions and auxiliary verbs, as in the stop words that Snowball publishes with its stemmers
(https://snowballstem.org/algorithms/); lower case, spelt with their accents.
"""

from collections.abc import Mapping
from types import MappingProxyType

_LISTS = {
    "cs": """
a aby ale ani ano až bez bude budou by byl byla byli bylo co což do i jak jako je jeho jejich jen ji již jsem jsme jsou k kde kdo
když která které který ke mezi na nad ne nebo není o od po pod podle pro proti proto před při s se si tak také tato tedy ten tento to tomu
toto u už v ve však za ze že
""",
    "da": """
ad af alle alt anden at blev bliver da de dem den denne der deres det dette dig din dog du efter eller en end er et for fra ham han hans har
havde have hende hendes her hos hun hvad hvem hver hvilken hvis hvor hvordan hvornår i ikke ind jeg jer kan kunne man mange med meget men mig
min mine mit mod ned noget nogle nu når og også om op os over på sig sin sine sit skal skulle som til ud under var ved vi vil ville være været
""",
    "de": """
aber alle allem allen aller als also am an ander andere anderen auch auf aus bei beim bin bis bist da damit dann das dass dein dem den denn
der des dessen die dies diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines er es etwas euch für gegen
gewesen hab habe haben hat hatte hatten hier hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist jede jedem jeden jeder
jedes jene kann kein keine keinem keinen keiner können konnte man mein meine mit muss nach nicht nichts noch nun nur ob oder ohne sehr sein
seine seinem seinen seiner seit selbst sich sie sind so solche soll sollte sondern sonst über um und uns unser unter viel vom von vor während
wann war waren warum was weil welche welchem welchen welcher welches wenn wer werde werden wie wieder will wir wird wirst wo wohin wollen
worden wurde wurden würde würden zu zum zur zwar zwischen
""",
    "es": """
a al algo algunas algunos ante antes aquel aquella aunque bajo cada como con contra cual cuál cuando cuándo cuánto cuántos de del desde donde
dónde dos durante e el él ella ellas ellos en entre era eran es esa ese eso esta está estaba están este esto estos estas fue fueron ha había
han hasta hay la las le les lo los más me mi mis mucho muy nada ni no nos nosotros o os otra otro otros para pero poco por porque que qué
quien quién se sea ser si sí sido sin sobre son su sus también tan tanto te tiene tienen todo todos tu tus un una uno unos y ya yo
""",
    "fi": """
ei eivät että he heidän hän hänen ja jo joka joita jos jossa jotka kanssa keitä kuin kuinka kuka kun me mikä missä miksi milloin minä minun
mitä mutta myös ne nämä nyt ole oli olivat olla on ovat se sekä sen siinä sitä tai tämä tämän te tuo vaan vai vain voi ennen jälkeen
""",
    "fr": """
à a ai as au aucun aussi autre aux avait avant avec avez avoir avons c ce ceci cela celle celui ces cet cette ceux chez comme comment d dans de
depuis des deux dont du elle elles en entre est et étaient était été être eu eux fait fut furent il ils j je jusqu l la le les leur leurs lui
m ma mais me même mes mon n ne ni nos notre nous on ont ou où par parce pas pendant peu peut peuvent plus pour pourquoi qu quand que quel
quelle quelles quels qui quoi s sa sans se selon sera ses si son sont sous sur t ta te tes toi ton tous tout toute toutes très tu un une vers
vos votre vous y
""",
    "hu": """
a abban ahhoz aki akik ami amely amelyek az azt azok be csak de e egy egyik el ez ezek ezt fel hanem hogy hogyan hol ha is itt ki kell két kik
le legyen lesz lett maga már meg mely még mert mi mikor milyen mint minden nagyon nem olyan ő ők össze pedig s sem sok szerint és után vagy
van vannak volt voltak
""",
    "it": """
a ad agli ai al alla alle allo anche avere aveva c che chi ci come con cosa così cui d da dagli dai dal dalla dalle degli dei del dell della
delle dello di dove due e è ed era erano essere fra fu furono gli ha hanno hai ho i il in io l la le lei lo loro lui ma mi mia mio molto ne
negli nei nel nella nelle noi non nostro o ogni per perché più poi prima può quale quali quando quanto quella quelle quelli quello questa
queste questi questo qui se sei senza si sia sono sopra sua sue sugli sui sul sulla suo suoi tra tutti tutto un una uno
""",
    "nl": """
aan al alles als altijd andere ben bij daar dan dat de der deze die dit doch door dus een en er ge geen had heb hebben heeft hem het hier hij
hoe hun iemand iets ik in is ja je kan kon kunnen maar me meer men met mij mijn moet na naar niet niets nog nu of om omdat onder ons ook op
over reeds te tegen toch toen tot u uit uw van veel voor waar waarom wanneer want waren was wat welke werd wezen wie wij wil worden wordt zal
ze zelf zich zij zijn zo zonder zou
""",
    "no": """
alle at av ble bli blir da de deg dem den denne der deres det dette din disse du eller en enn er et etter for fordi fra før ha hadde han hans
har hennes her hun hva hvem hver hvilken hvis hvor hvordan hvorfor i ikke inn jeg kan kunne man mange med meg mellom men mer min mot mye når
noe noen nå og også om opp oss over på seg selv sin sine sitt skal skulle som så til ut under var ved vi vil ville være vært å
""",
    "pl": """
a aby ale albo ani bez bo był była było były będzie być co czy dla do gdy gdzie go i ich im ich ile jak jaka jaki jakie jako je jego jej jest
jeszcze już kiedy kto która które którego której którym którzy który ma mnie może na nad nie niż o od oraz po pod podczas przed przez przy są
się ta tak także tam te tego tej ten to tylko tym u w we więc wszystko z za ze że
""",
    "pt": """
a à ao aos aquela aquele as às até com como da das de dela dele delas deles depois do dos e é ela elas ele eles em entre era eram essa esse
esta está estão este eu foi foram há isso isto já lhe mais mas me mesmo meu minha muito na não nas nem no nos nós nossa nosso num numa o onde
os ou para pela pelas pelo pelos por porque quais qual quando que quem são se sem ser seu seus só sua suas também te tem têm tinha tu um uma
umas uns você
""",
    "ro": """
a acea aceasta această aceste acest acesta acestei acestui al ale am ar are as au ca că care cât câte ce cel cea cei cele când cine cu cum da
dar de deci despre din după ea ei el ele este eu fi fost fără iar în între îi își îl la le lor lui mai mult ne nici nu o pe pentru prin
sa să sau se și sunt spre te un una unde unei unor unui va vor
""",
    "ru": """
а без более больше будет будто бы был была были было быть в вам вас ведь во вот все всего всех вы где да даже два для до его ее её ей если
есть ещё еще ж же за здесь и из или им их к как какая какие какой кем когда кого которая которого которой которые который которых кто куда
ли между меня мне много может мой моя мы на над надо нас не него нее ней нельзя нет ни них но ну о об один он она они оно от очень по под
после потом потому почему при про с сам свою себя сейчас со сколько так также там тебя тем теперь то тогда того тоже только том тот тут ты у
уже хоть чего чем через что чтобы чуть эта эти этих это этой этом этот эту я
""",
    "sv": """
alla allt att av blev bli blir de dem den denna deras dess dessa det detta dig din du där då efter ej eller en er ett från för ha hade han
hans har henne hennes hon honom hur här i icke in inte jag kan kunde man med mellan men mig min mitt mot mycket ni nu när någon något några
och om oss på samma sedan sig sin sina sitt ska skulle som så till under upp ut utan vad var varför varit vem vi vid vilka vilken vilket är
över
""",
    "tr": """
acaba ama ancak bana bazı ben beni benim bir biri birkaç biz bizim böyle bu buna bunda bunu bunun çok çünkü da daha de değil diğer diye eğer
en gibi hangi hem hep her hiç için ile ise kadar kendi ki kim kimi mı mi mu mü nasıl ne neden nerede niçin o olan olarak oldu olduğu onlar onu
onun önce sana sen siz sonra şey şu tüm ve veya ya yani
""",
}  # fmt: skip

FUNCTION_WORDS: Mapping[str, frozenset[str]] = MappingProxyType(
    {language: frozenset(words.split()) for language, words in _LISTS.items()}
)
"""ISO 639-1 code of a language to its function words."""
