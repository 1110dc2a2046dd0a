using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Emission;

/// <summary>The emitter of the type by which the runtime calls the converter of a member. Nulls do not reach the converter.</summary>
internal static class ConverterEmitter
{
    private const string Value = "value";

    /// <summary>Emits the whole type.</summary>
    public static void Emit(SourceWriter code, ConvertedKind converted)
    {
        var (type, wire, view) = (ConvertedTypes.UserOf(converted), SourceTypes.Of(converted.Wire), ConvertedTypes.ViewOf(converted));
        var name = converted.Adapter.Substring(converted.Adapter.LastIndexOf('.') + 1);
        code.Line($"/// <summary>The converter of <c>{converted.Path}</c>.</summary>");
        using (code.Block($"public readonly struct {name} : {RuntimeNames.Wire}IWireConverter<{type}, {wire}, {view}>"))
        {
            code.Line($"public static string Member => \"{converted.Path}\";");
            code.Line();
            code.Line($"public static {wire} ToWire({type} value) => {ToWire(converted, wire)};");
            code.Line();
            code.Line($"public static {type} FromWire({wire} value) => {FromWire(converted, type)};");
            code.Line();
            code.Line($"public static {type} FromView({view} value) => {FromView(converted, type)};");
        }
    }

    private static string ToWire(ConvertedKind converted, string wire)
    {
        var call = $"{converted.Converter}.ToWire({(converted.Form == MessageForm.NullableValue ? Value + ".GetValueOrDefault()" : Value)})";
        return converted.Form == MessageForm.Value || converted.Wire is ValueKind ? call : $"{Value} is null ? default({wire}) : {call}";
    }

    private static string FromWire(ConvertedKind converted, string type) => converted.Wire switch
    {
        NullableKind or BinaryKind { IsNullableMemory: true } => $"{Value}.HasValue ? {Call(converted, Value + ".GetValueOrDefault()")} : default({type})",
        _ => Call(converted, Value),
    };

    private static string FromView(ConvertedKind converted, string type) => converted.Wire switch
    {
        StringKind => $"{Value}.IsNull ? default({type}) : {Call(converted, converted.TakesBytes ? Value + ".Utf8" : Value + ".ToString()")}",
        BinaryKind binary => $"{Value}.IsNull ? default({type}) : {Call(converted, converted.TakesBytes ? Value + ".Span" : Copy(binary))}",
        _ => $"FromWire({Value})",
    };

    private static string Copy(BinaryKind binary) => CollectionCode.Converted(binary, Value + ".Span.ToArray()") + (binary.IsNullableMemory ? ".GetValueOrDefault()" : "");

    private static string Call(ConvertedKind converted, string argument) => $"{converted.Converter}.FromWire({argument})";
}
