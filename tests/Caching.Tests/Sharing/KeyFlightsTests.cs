using System.Reflection;
using System.Reflection.Emit;

namespace BufferedMessages.Caching.Tests;

public sealed class KeyFlightsTests
{
    private delegate long Numbering(ReadOnlySpan<byte> key);

    [Fact]
    public void Two_releases_of_a_program_have_the_same_number_for_a_generic_type_of_value()
    {
        var number = NumberIn("Order", new Version(1, 0, 0, 0));

        Assert.Equal(number, NumberIn("Order", new Version(2, 0, 0, 0)));
        Assert.NotEqual(number, NumberIn("Invoice", new Version(1, 0, 0, 0)));
    }

    // A list of a type in a release of the program.
    private static long NumberIn(string type, Version release)
    {
        var program = AssemblyBuilder.DefineDynamicAssembly(new AssemblyName("Shop") { Version = release }, AssemblyBuilderAccess.Run);
        var item = program.DefineDynamicModule("Shop").DefineType("Shop." + type, TypeAttributes.Public).CreateType();
        var list = typeof(List<>).MakeGenericType(item);
        return typeof(KeyFlights).GetMethod(nameof(KeyFlights.NumberOf))!.MakeGenericMethod(list).CreateDelegate<Numbering>()("key"u8);
    }
}
