namespace BufferedMessages.Generator.Tests;

/// <content>The sources that break each rule, with the marked places and the messages.</content>
public sealed partial class AnalyzerTests
{
    public static TheoryData<string, string, string> Broken => new()
    {
        { "BMSG0001", "[BufferedMessageSource] public class [|Order|] { public int Id; }", "Type 'Order' must be partial so that message code can be generated for it" },
        {
            "BMSG0002",
            "public class Shop { [BufferedMessageSource] public partial class [|Order|] { public int Id; } }",
            "Type 'Shop' must be partial, because it contains the message source 'Order'; declare every containing type partial"
        },
        {
            "BMSG0003",
            "[BufferedMessageSource] public abstract partial class [|Order|] { public int Id; }",
            "'Order' is abstract, so it has no objects to write or read; put the attribute on a class, struct or record that can be instantiated"
        },
        {
            "BMSG0003",
            "[BufferedMessageSource] public static partial class [|Order|];",
            "'Order' is static, so it has no objects to write or read; put the attribute on a class, struct or record that can be instantiated"
        },
        {
            "BMSG0003",
            "[BufferedMessageSource] public ref partial struct [|Order|] { public int Id; }",
            "'Order' is a ref struct, so it has no objects to write or read; put the attribute on a class, struct or record that can be instantiated"
        },
        {
            "BMSG0004",
            "[BufferedMessageSource] public partial class [|Page|]<T> { public int Id; }",
            "'Page' is generic, but a message has only one layout; remove the attribute and derive a source for each use, such as '[BufferedMessageSource] partial class OrderPage : Page<Order>'"
        },
        {
            "BMSG0004",
            "[BufferedMessageSource] public partial record [|Page|]<T, TTag>(int Id);",
            "'Page' is generic, but a message has only one layout; remove the attribute and derive a source for each use, such as '[BufferedMessageSource] partial record OrderPage : Page<Order, ...>'"
        },
        {
            "BMSG0004",
            "[BufferedMessageSource] public partial struct [|Page|]<T> { public int Id; }",
            "'Page' is generic, but a message has only one layout; write a type for each use"
        },
        {
            "BMSG0004",
            "public partial class Shop<T> { [BufferedMessageSource] public partial class [|Order|] { public int Id; } }",
            "'Order' is nested in the generic type 'Shop', but a message has only one layout; move it out of that type"
        },
        {
            "BMSG0005",
            "[BufferedMessageSource] file partial class [|Order|] { public int Id; }",
            "'Order' is file-local or nested in a file-local type, so code in another file cannot extend it; declare it internal"
        },
        {
            "BMSG0006",
            "public class OrderBufferedMessage; [BufferedMessageSource] public partial class [|Order|] { public int Id; }",
            "The view of 'Order' needs the name 'OrderBufferedMessage', but another declaration has that name; set ViewName on the attribute"
        },
        {
            "BMSG0006",
            "[BufferedMessageSource(ViewName = \"a b\")] public partial class [|Order|] { public int Id; }",
            "The view of 'Order' needs the name 'a b', but that is not a C# identifier; set another ViewName"
        },
        {
            "BMSG0006",
            "[BufferedMessageSource] public partial class Order { public int Id; public int [|BufferedBlock|] { get; set; } }",
            "The generated block of 'Order' needs the name 'BufferedBlock', but the type has a member of that name; rename it"
        },
        {
            "BMSG0006",
            "public class OrderBufferedMessageWriter; [BufferedMessageSource(GenerateWriter = true)] public partial class [|Order|] { public int Id; }",
            "The writer of 'Order' needs the name 'OrderBufferedMessageWriter', but another declaration has that name; set ViewName on the attribute"
        },
        {
            "BMSG0006",
            "[BufferedMessageSource(GenerateWriter = true)] public partial class Order { public string? Note; public bool [|WriteNote|] { get; set; } }",
            "The member 'Order.WriteNote' in the writer of 'Order' needs the name 'WriteNote', but the writer has a method or a type of that name; rename the member, or exclude it with [BufferedIgnore]"
        },
        {
            "BMSG0006",
            "[BufferedMessageSource] public partial class Order { public int Id; public bool [|IsNull|] { get; set; } }",
            "The member 'Order.IsNull' in a view needs the name 'IsNull', but every view has its own member of that name; rename the member, or exclude it with [BufferedIgnore]"
        },
        {
            "BMSG0007",
            "[BufferedMessageSource] public partial class [|Order|] { internal int Id; }",
            "'Order' has no public property or field that can be stored, so its messages are empty; make members public, or remove the attribute"
        },
        {
            "BMSG0009",
            "[BufferedMessageSource] public partial class [|Orders|] : List<string> { public string? Name { get; set; } }",
            "'Orders' derives from the collection 'List<string>', whose elements would not be stored; hold it in a member"
        },
        {
            "BMSG0009",
            "public class Basis : System.Collections.ObjectModel.Collection<int?>; [BufferedMessageSource] public partial class [|Orders|] : Basis { public int Id; }",
            "'Orders' derives from the collection 'Collection<int?>', whose elements would not be stored; hold it in a member"
        },
        {
            "BMSG0020",
            "[BufferedMessageSource] public partial class Order { public int Id; public object? [|Tag|] { get; set; } }",
            "'Order.Tag' of type 'object?' cannot be stored: its content is unknown; use a concrete type, or exclude the member with [BufferedIgnore]"
        },
        {
            "BMSG0020",
            "[BufferedMessageSource] public partial class Order { public int Id; public SortedList<int, int>? [|Totals|] { get; set; } }",
            "'Order.Totals' of type 'SortedList<int, int>?' cannot be stored: this collection type is not supported; use one of the collections that docs/supported-types.md lists, such as List<T>, HashSet<T> or Dictionary<TKey, TValue>, or exclude the member with [BufferedIgnore]"
        },
        {
            "BMSG0020",
            "[BufferedMessageSource] public partial class Order { public int Id; public int[,]? [|Matrix|] { get; set; } }",
            "'Order.Matrix' of type 'int[,]?' cannot be stored: it is an array of several dimensions; use an array of arrays, or exclude the member with [BufferedIgnore]"
        },
        {
            "BMSG0020",
            "[BufferedMessageSource] public partial class Order { public int Id; public List<Action>? [|Steps|] { get; set; } }",
            "'Order.Steps' of type 'List<Action>?' cannot be stored: code cannot be stored; use data, or exclude the member with [BufferedIgnore]"
        },
        {
            "BMSG0020",
            "[BufferedMessageSource] public partial class Order { public int Id; public Uri? [|Link|] { get; set; } }",
            "'Order.Link' of type 'Uri?' cannot be stored: it is neither a type that the wire format knows nor a message source; use one of these, or a converter, or exclude the member with [BufferedIgnore]"
        },
        {
            "BMSG0021",
            "public class Line { public int Count; } [BufferedMessageSource] public partial class Order { public int Id; public Line[]? [|Lines|] { get; set; } }",
            "'Order.Lines' cannot be stored, because 'Line' is not a message source; add [BufferedMessageSource] to it, or exclude the member with [BufferedIgnore]"
        },
        {
            "BMSG0022",
            "[BufferedMessageSource] public partial class Order { public int Id; public nint [|Handle|] { get; set; } }",
            "'Order.Handle' of type 'nint' cannot be stored by its memory layout: its size differs between processes; use a type of fixed size, or exclude the member with [BufferedIgnore]"
        },
        {
            "BMSG0022",
            "public struct Price { public decimal Amount; } [BufferedMessageSource] public partial class Order { public int Id; public Price [|Price|] { get; set; } }",
            "'Order.Price' of type 'Price' cannot be stored by its memory layout: the field 'Amount' is a decimal, which has invalid bit patterns and must be checked when read; make the struct a message, or exclude the member with [BufferedIgnore]"
        },
        {
            "BMSG0024",
            "[BufferedMessageSource] public partial class Order { public int Id; public int [|Count|] { set { } } }",
            "'Order.Count' has no public getter, so its value cannot be stored; add one, or exclude the member with [BufferedIgnore]"
        },
        {
            "BMSG0025",
            "[BufferedMessageSource] public partial class Order { [BufferedMember(0)] public int Id; [BufferedMember(0)] public int [|Count|]; }",
            "'Order.Count' has ordinal 0, which 'Id' has too, so the layout is undefined; give it another ordinal"
        },
        {
            "BMSG0026",
            "[BufferedMessageSource] public partial class Order { [BufferedMember(0)] public int Id; public int [|Count|]; }",
            "'Order.Count' has no [BufferedMember], but other members do, so the layout is undefined; number all members or none"
        },
        {
            "BMSG0027",
            "[BufferedMessageSource] public partial class Order { [BufferedMember(0)] public int Id; [BufferedMember(2)] public int [|Count|]; }",
            "'Order.Count' has ordinal 2, which is not between 0 and 1, so the ordinals have a gap; number the members from 0 on without gaps, and reserve the ordinals of removed members"
        },
        {
            "BMSG0027",
            "[BufferedMessageSource, BufferedReserved(1, typeof(int))] public partial class Order { [BufferedMember(0)] public int Id; [BufferedMember(1)] public int [|Count|]; [BufferedMember(2)] public int Size; }",
            "'Order.Count' has ordinal 1, which is reserved for a removed member; give it another ordinal"
        },
        {
            "BMSG0027",
            "[BufferedMessageSource, BufferedReserved(2, typeof(int))] public partial class [|Order|] { public int Id; }",
            "A [BufferedReserved] of 'Order' has ordinal 2, which is not between 0 and 1, so the ordinals have a gap; number the members from 0 on without gaps, and reserve the ordinals of removed members"
        },
        {
            "BMSG0027",
            "[BufferedMessageSource, BufferedReserved(1, typeof(int)), BufferedReserved(1, typeof(int))] public partial class [|Order|] { public int Id; }",
            "A [BufferedReserved] of 'Order' has ordinal 1, which is already reserved; remove one of the two"
        },
        {
            "BMSG0027",
            "[BufferedMessageSource, BufferedReserved(1, typeof(object))] public partial class [|Order|] { public int Id; }",
            "A [BufferedReserved] of 'Order' has ordinal 1, whose type 'object' cannot be stored: its content is unknown; use a concrete type"
        },
        {
            "BMSG0027",
            "[BufferedMessageSource, BufferedReserved(1, typeof(List<Line>))] public partial class [|Order|] { public int Id; } public class Line;",
            "A [BufferedReserved] of 'Order' has ordinal 1, whose type 'List<Line>' cannot be stored: 'Line' is not a message source; add [BufferedMessageSource] to it"
        },
        {
            "BMSG0027",
            "[BufferedMessageSource, BufferedReserved(1, typeof(HashSet<double>))] public partial class [|Order|] { public int Id; }",
            "A [BufferedReserved] of 'Order' has ordinal 1, whose type 'HashSet<double>' cannot be stored: 'double' cannot be the key of a dictionary or the element of a set; use another type of key"
        },
        {
            "BMSG0027",
            "[BufferedMessageSource, BufferedReserved(1, typeof(List<>))] public partial class [|Order|] { public int Id; }",
            "A [BufferedReserved] of 'Order' has ordinal 1, whose type 'List<>' cannot be stored: it has no type arguments; name them too"
        },
        {
            "BMSG0027",
            "[BufferedMessageSource, BufferedReserved(1, typeof(void))] public partial class [|Order|] { public int Id; }",
            "A [BufferedReserved] of 'Order' has ordinal 1, whose type 'void' cannot be stored: no member has it; name the type of the removed member"
        },
        {
            "BMSG0027",
            "[BufferedMessageSource, BufferedReserved(1, null!)] public partial class [|Order|] { public int Id; public int Count; }",
            "A [BufferedReserved] of 'Order' has ordinal 1, but no type, so the places of later members are unknown; name the type of the removed member"
        },
        {
            "BMSG0029",
            "[BufferedMessageSource] public partial class Order { public int Id; public List<int> [|Tags|] { get; } = []; }",
            "'Order.Tags' is not stored in messages of 'Order', because a copy could not restore it: it has no setter that 'Order' can call, and the constructor for copies has no parameter of its name and type; add one of these, number all members with [BufferedMember] to store it for the view only, or exclude it with [BufferedIgnore]"
        },
        {
            "BMSG0031",
            "[BufferedMessageSource] public partial class Order { public int Id; [[|BufferedIgnore|]] internal int Count; }",
            "[BufferedIgnore] has no effect: 'Count' is never stored, because only public instance properties and fields are; remove it"
        },
        {
            "BMSG0031",
            "[BufferedMessageSource] public partial class Order { public int Id; [[|BufferedMember(0)|]] public static int Count { get; set; } }",
            "[BufferedMember] has no effect: 'Count' is never stored, because only public instance properties and fields are; remove it"
        },
        {
            "BMSG0031",
            "[BufferedMessageSource] public partial class Order { public int Id; [BufferedIgnore, [|BufferedMember(1)|]] public int Count; }",
            "[BufferedMember] has no effect: 'Count' is excluded with [BufferedIgnore]; remove it"
        },
        {
            "BMSG0031",
            "[[|BufferedMessageSource(\"Id\", \"Cuont\")|]] public partial class Order { public int Id; public int Count; }",
            "The excluded name 'Cuont' has no effect: 'Order' has no public property or field of that name; remove it"
        },
        {
            "BMSG0028",
            "[BufferedMessageSource] public partial class Order { public int Id; public Dictionary<double, int>? [|Totals|] { get; set; } }",
            "'Order.Totals' of type 'Dictionary<double, int>?' cannot be stored, because 'double' cannot be the key of a dictionary or the element of a set; use a string, bool, char, integer, enum, Guid, DateOnly or TimeSpan, or exclude the member with [BufferedIgnore]"
        },
        {
            "BMSG0028",
            "[BufferedMessageSource] public partial class Order { public int Id; public HashSet<int?>? [|Totals|] { get; set; } }",
            "'Order.Totals' of type 'HashSet<int?>?' cannot be stored, because 'int?' cannot be the key of a dictionary or the element of a set; use a string, bool, char, integer, enum, Guid, DateOnly or TimeSpan, or exclude the member with [BufferedIgnore]"
        },
        {
            "BMSG0028",
            "[BufferedMessageSource] public partial class Order { public int Id; public List<Dictionary<(int, int), int>>? [|Totals|] { get; set; } }",
            "'Order.Totals' of type 'List<Dictionary<(int, int), int>>?' cannot be stored, because '(int, int)' cannot be the key of a dictionary or the element of a set; use a string, bool, char, integer, enum, Guid, DateOnly or TimeSpan, or exclude the member with [BufferedIgnore]"
        },
        {
            "BMSG0028",
            "[BufferedMessageSource] public partial class Order { public int Id; public Dictionary<int, HashSet<decimal>>? [|Totals|] { get; set; } }",
            "'Order.Totals' of type 'Dictionary<int, HashSet<decimal>>?' cannot be stored, because 'decimal' cannot be the key of a dictionary or the element of a set; use a string, bool, char, integer, enum, Guid, DateOnly or TimeSpan, or exclude the member with [BufferedIgnore]"
        },
        {
            "BMSG0028",
            "[BufferedMessageSource] public partial class Order { public int Id; public HashSet<byte[]>? [|Totals|] { get; set; } }",
            "'Order.Totals' of type 'HashSet<byte[]>?' cannot be stored, because 'byte[]' cannot be the key of a dictionary or the element of a set; use a string, bool, char, integer, enum, Guid, DateOnly or TimeSpan, or exclude the member with [BufferedIgnore]"
        },
    };
}
