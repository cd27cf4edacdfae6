// words.js: values to fill a filter with in Play.

/** Short English words, no two the same. */
export const WORDS = `
ant ape badger bat bear beaver bee beetle bison boar buffalo bull butterfly camel canary carp cat caterpillar cheetah
chicken cicada clam cobra cod cow coyote crab crane cricket crocodile crow deer dingo dog dolphin donkey dove dragonfly
duck eagle eel elephant elk emu falcon ferret finch flamingo fly fox frog gazelle gecko gibbon giraffe gnu goat goldfish
goose gorilla grouse gull hamster hare hawk hedgehog heron herring hippo hornet horse hyena ibex ibis iguana jackal
jaguar jay jellyfish kangaroo kingfisher kiwi koala koi lark lemming lemur leopard lion lizard llama lobster locust
lynx magpie mammoth marten mink mole mongoose monkey moose mosquito moth mouse mule newt nightingale octopus okapi
opossum ostrich otter owl ox oyster panda panther parrot partridge peacock pelican penguin pheasant pig pigeon pike
polecat pony porcupine puffin puma python quail rabbit raccoon ram rat raven reindeer rhino robin rook salamander
salmon sardine scorpion seahorse seal shark sheep shrew shrimp skunk sloth slug snail snake sparrow spider squid
squirrel stork swallow swan tapir termite thrush tiger toad trout turkey turtle viper vole vulture walrus wasp weasel
whale wolf wombat woodpecker worm wren yak zebra
almond apricot artichoke asparagus avocado banana barley basil bean beet blackberry blueberry broccoli cabbage cacao
caraway carrot cashew celery cherry chestnut chickpea chili chive cinnamon clove coconut coriander cranberry cucumber
cumin currant date dill eggplant elderberry endive fennel fig garlic ginger gooseberry grape grapefruit hazelnut
horseradish juniper kale kohlrabi leek lemon lentil lettuce lime lychee maize mandarin mango marjoram melon millet mint
mulberry mushroom mustard nectarine nutmeg oat okra olive onion orange oregano papaya paprika parsley parsnip pea peach
peanut pecan pepper persimmon pineapple pistachio plum pomegranate poppy potato pumpkin quince radish raisin
raspberry rhubarb rice rosemary rye saffron sage sesame shallot sorrel soy spelt spinach squash strawberry tangerine
tarragon tea thyme tomato turmeric turnip vanilla walnut watercress watermelon wheat yam zucchini
acacia alder ash aspen beech birch cedar cypress elm fir hemlock hickory holly hornbeam larch laurel linden maple oak
palm pine poplar rowan sequoia spruce sycamore teak willow yew
anvil arrow axe bag ball banjo barrel basket bed bell belt bench bicycle blanket boat book boot bottle bowl box bridge
broom brush bucket button candle canoe cap carpet cart castle chain chair chalk chest chimney clock coat coin comb
compass cork cradle cup curtain cushion desk door drawer drum fence fiddle flag flute fork fountain gate glass glove
guitar hammer hammock harp hat helmet hinge hook horn house jacket jar jug kettle key kite knife ladder lamp lantern
lock loom mask mat mill mirror mitten mug nail needle net oar organ oven paddle pan paper pear pen pencil piano pillow
pipe pitcher plate plough pot pulley purse quilt raft rake ring rope rug sack saddle sail sandal saw scarf scissors
screw shelf shield ship shirt shoe shovel sickle sieve skirt sled soap sock spade spoon stool stove string suitcase
sword table tent thimble thread torch towel tower trumpet trunk umbrella vase violin wagon wall watch wheel whistle
window
`.trim().split(/\s+/);
