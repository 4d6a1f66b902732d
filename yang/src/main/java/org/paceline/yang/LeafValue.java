package org.paceline.yang;

import com.google.gson.JsonElement;
import com.google.gson.JsonPrimitive;
import com.google.gson.internal.LazilyParsedNumber;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.opendaylight.yangtools.yang.data.impl.codec.TypeDefinitionAwareCodec;
import org.opendaylight.yangtools.yang.model.api.TypeDefinition;
import org.opendaylight.yangtools.yang.model.api.type.BooleanTypeDefinition;
import org.opendaylight.yangtools.yang.model.api.type.DecimalTypeDefinition;
import org.opendaylight.yangtools.yang.model.api.type.EmptyTypeDefinition;
import org.opendaylight.yangtools.yang.model.api.type.EnumTypeDefinition;
import org.opendaylight.yangtools.yang.model.api.type.Int64TypeDefinition;
import org.opendaylight.yangtools.yang.model.api.type.LengthRestrictedTypeDefinition;
import org.opendaylight.yangtools.yang.model.api.type.PatternConstraint;
import org.opendaylight.yangtools.yang.model.api.type.RangeRestrictedTypeDefinition;
import org.opendaylight.yangtools.yang.model.api.type.StringTypeDefinition;
import org.opendaylight.yangtools.yang.model.api.type.Uint64TypeDefinition;
import org.opendaylight.yangtools.yang.model.api.type.UnionTypeDefinition;

/**
 * A leaf's value in JSON. RFC 7951, section 6, says for each type whether it is a JSON number, a
 * string or a boolean; decimals and integers of 64 bits are strings.
 */
public final class LeafValue {
  private static final int MOST_SHOWN = 60;

  /** Beyond it a number's text is compared as it is: no key needs so many digits. */
  private static final int MOST_DIGITS = 40;

  private LeafValue() {}

  /**
   * @throws Misfit if the type has no such value
   */
  static void require(TypeDefinition<?> type, String name, JsonElement value, String path) {
    if (!allows(type, value)) {
      throw Misfit.value(
          path,
          "(" + name + ") is " + brief(value.toString()) + " and must be " + words(type) + ".");
    }
  }

  /** Cut where it is too long for a message. */
  static String brief(String text) {
    return text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "...";
  }

  /** A decimal may be written in more than one way. */
  static String canonical(String value) {
    if (value.length() > MOST_DIGITS || !value.matches("-?[0-9]+(\\.[0-9]+)?")) {
      return value;
    }
    return new BigDecimal(value).stripTrailingZeros().toPlainString();
  }

  private static boolean allows(TypeDefinition<?> type, JsonElement value) {
    if (type instanceof UnionTypeDefinition) {
      return ((UnionTypeDefinition) type).getTypes().stream().anyMatch(each -> allows(each, value));
    }
    if (type instanceof EmptyTypeDefinition) {
      return value.isJsonArray()
          && value.getAsJsonArray().size() == 1
          && value.getAsJsonArray().get(0).isJsonNull();
    }
    if (!value.isJsonPrimitive()) {
      return false;
    }
    JsonPrimitive held = value.getAsJsonPrimitive();
    if (type instanceof BooleanTypeDefinition) {
      return held.isBoolean();
    }
    return (isNumber(type) ? held.isNumber() : held.isString()) && reads(type, held.getAsString());
  }

  /** A value of the type, which the text has in another place than a JSON document. */
  public static JsonPrimitive of(TypeDefinition<?> type, String text) {
    if (type instanceof BooleanTypeDefinition) {
      return new JsonPrimitive(Boolean.valueOf(text));
    }
    return isNumber(type)
        ? new JsonPrimitive(new LazilyParsedNumber(text))
        : new JsonPrimitive(text);
  }

  /** Of at most 32 bits. */
  private static boolean isNumber(TypeDefinition<?> type) {
    return type instanceof RangeRestrictedTypeDefinition && !isNumberInAString(type);
  }

  private static boolean isNumberInAString(TypeDefinition<?> type) {
    return type instanceof DecimalTypeDefinition
        || type instanceof Int64TypeDefinition
        || type instanceof Uint64TypeDefinition;
  }

  private static boolean reads(TypeDefinition<?> type, String text) {
    TypeDefinitionAwareCodec<?, ?> codec = TypeDefinitionAwareCodec.fromType(type);
    if (codec == null) {
      // Names of nodes and identities, which yangtools looks up.
      return true;
    }
    try {
      codec.deserialize(text);
      return !(type instanceof DecimalTypeDefinition)
          || isInRange((DecimalTypeDefinition) type, text);
    } catch (RuntimeException noSuchValue) {
      // The codecs have no one type for it.
      return false;
    }
  }

  /** Of a decimal the codec looks at the digits only. */
  private static boolean isInRange(DecimalTypeDefinition type, String text) {
    BigDecimal value = new BigDecimal(text);
    return type.getRangeConstraint().stream()
        .flatMap(constraint -> constraint.getAllowedRanges().asRanges().stream())
        .anyMatch(
            range ->
                value.compareTo(range.lowerEndpoint().decimalValue()) >= 0
                    && value.compareTo(range.upperEndpoint().decimalValue()) <= 0);
  }

  private static String words(TypeDefinition<?> type) {
    if (type instanceof BooleanTypeDefinition) {
      return "true or false, without quotation marks";
    }
    if (type instanceof EmptyTypeDefinition) {
      return "[null]";
    }
    if (type instanceof EnumTypeDefinition) {
      return "one of "
          + ((EnumTypeDefinition) type)
              .getValues().stream().map(each -> each.getName()).collect(Collectors.toList());
    }
    if (type instanceof DecimalTypeDefinition) {
      return "a number"
          + range(type)
          + " with at most "
          + ((DecimalTypeDefinition) type).getFractionDigits()
          + " digits after the point, in quotation marks";
    }
    if (type instanceof RangeRestrictedTypeDefinition) {
      return "a whole number"
          + range(type)
          + (isNumber(type) ? ", without quotation marks" : ", in quotation marks");
    }
    if (type instanceof UnionTypeDefinition) {
      return ((UnionTypeDefinition) type)
          .getTypes().stream()
              .map(LeafValue::words)
              .distinct()
              .collect(Collectors.joining(", or "));
    }
    return "a string" + length(type) + patterns(type);
  }

  private static String range(TypeDefinition<?> type) {
    return ((RangeRestrictedTypeDefinition<?, ?>) type)
        .getRangeConstraint().stream()
            .flatMap(constraint -> constraint.getAllowedRanges().asRanges().stream())
            .map(range -> " from " + range.lowerEndpoint() + " to " + range.upperEndpoint())
            .collect(Collectors.joining(" or"));
  }

  private static String length(TypeDefinition<?> type) {
    return Optional.of(type)
        .filter(LengthRestrictedTypeDefinition.class::isInstance)
        .flatMap(limited -> ((LengthRestrictedTypeDefinition<?>) limited).getLengthConstraint())
        .stream()
        .flatMap(constraint -> constraint.getAllowedRanges().asRanges().stream())
        .map(
            range ->
                " of " + range.lowerEndpoint() + " to " + range.upperEndpoint() + " characters")
        .collect(Collectors.joining(" or"));
  }

  private static String patterns(TypeDefinition<?> type) {
    List<PatternConstraint> all =
        type instanceof StringTypeDefinition
            ? ((StringTypeDefinition) type).getPatternConstraints()
            : List.of();
    return all.stream()
        .map(
            pattern ->
                (pattern.getModifier().isPresent() ? " that does not match " : " that matches ")
                    + pattern.getRegularExpressionString())
        .collect(Collectors.joining(" and"));
  }
}
